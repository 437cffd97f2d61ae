`default_nettype none

// An integer PE of a weight-stationary array: psum_out = psum_in + activation · weight, two's
// complement. Every output is a register, and stands still while `en` is low.
module systolic_pe #(
    parameter int ACT_WIDTH  = 8,
    parameter int WGT_WIDTH  = 8,
    parameter int PSUM_WIDTH = 32,
    parameter int LATENCY    = 1,     // from an activation to the sum with its product
    parameter bit SATURATE   = 1'b0,  // a sum that has no room becomes the nearest that has
    parameter bit SHADOW     = 1'b1   // a second register for the weight, loaded behind the first
) (
    input  wire logic                         clk,
    input  wire logic                         rst_n,         // synchronous
    input  wire logic                         en,
    // West to east.
    input  wire logic signed [ACT_WIDTH-1:0]  act_in,
    output      logic signed [ACT_WIDTH-1:0]  act_out,
    input  wire logic                         valid_in,
    output      logic                         valid_out,
    input  wire logic                         wgt_swap_in,   // with the first activation of a tile
    output      logic                         wgt_swap_out,
    input  wire logic                         wgt_shift_in,  // wgt_in is taken over
    output      logic                         wgt_shift_out,
    // North to south.
    input  wire logic signed [WGT_WIDTH-1:0]  wgt_in,
    output      logic signed [WGT_WIDTH-1:0]  wgt_out,
    input  wire logic signed [PSUM_WIDTH-1:0] psum_in,
    output      logic signed [PSUM_WIDTH-1:0] psum_out
);
  localparam int ProductWidth = ACT_WIDTH + WGT_WIDTH;

  logic signed [WGT_WIDTH-1:0]    weight;
  logic signed [ProductWidth-1:0] product;
  logic signed [ProductWidth-1:0] staged;
  logic signed [PSUM_WIDTH:0]     exact;
  logic                           overflows;

  systolic_weight #(
      .WIDTH (WGT_WIDTH),
      .SHADOW(SHADOW)
  ) weights (
      .clk,
      .rst_n,
      .en,
      .shift(wgt_shift_in),
      .swap(wgt_swap_in),
      .wgt_in,
      .wgt_out,
      .weight
  );

  assign product = act_in * weight;
  systolic_delay #(
      .WIDTH (ProductWidth),
      .CYCLES(LATENCY - 1)
  ) stages (
      .clk,
      .rst_n,
      .en,
      .in (product),
      .out(staged)
  );
  assign exact = (PSUM_WIDTH + 1)'(psum_in) + (PSUM_WIDTH + 1)'(staged);
  assign overflows = SATURATE && exact[PSUM_WIDTH] != exact[PSUM_WIDTH-1];

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      act_out <= '0;
      valid_out <= 1'b0;
      wgt_swap_out <= 1'b0;
      wgt_shift_out <= 1'b0;
      psum_out <= '0;
    end else if (en) begin
      act_out <= act_in;
      valid_out <= valid_in;
      wgt_swap_out <= wgt_swap_in;
      wgt_shift_out <= wgt_shift_in;
      psum_out <= exact[PSUM_WIDTH-1:0];
      if (overflows) psum_out <= {exact[PSUM_WIDTH], {(PSUM_WIDTH - 1) {!exact[PSUM_WIDTH]}}};
    end
  end
endmodule

`default_nettype wire
