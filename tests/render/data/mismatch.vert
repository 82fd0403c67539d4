#version 330 core
out vec3 passed;
void main() {
  passed = vec3(1.0);
  gl_Position = vec4(passed, 1.0);
}
