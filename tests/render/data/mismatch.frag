#version 330 core
in vec4 passed;
out vec4 colour;
void main() { colour = passed; }
