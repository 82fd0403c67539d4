#version 330 core
vec4 defined_nowhere();
out vec4 colour;
void main() { colour = defined_nowhere(); }
