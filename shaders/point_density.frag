#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A point of a crowd: its colour, and one more for the count of its pixel. Without a depth test the last point of a pixel
// gives the colour, which is a fair draw from all points of the pixel because the order is scattered.
//
// Inputs: point_colour.
flat in vec3 point_colour;

layout(location = 0) out vec4 colour;
layout(location = 1) out float count;

void main() {
  colour = vec4(point_colour, 1.0);
  count = 1.0;
}
