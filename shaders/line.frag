#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// The share of a pixel that a line covers, premultiplied.
//
// Inputs: line_across, line_half_width, line_ink.
in float line_across;
flat in float line_half_width;
in vec4 line_ink;

layout(location = 0) out vec4 colour;

void main() {
  float coverage = clamp(line_half_width + 0.5 - abs(line_across), 0.0, 1.0) * line_ink.a;
  colour = vec4(line_ink.rgb * coverage, coverage);
}
