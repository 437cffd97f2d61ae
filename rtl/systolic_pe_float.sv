`default_nettype none

// A floating PE of a weight-stationary array: the product of two numbers of EXP exponent and MAN
// fraction bits is rounded to fp32, added to the fp32 sum from above, and rounded again. Subnormal
// numbers are numbers; what is not a number is 0x7fc00000. Ports as those of systolic_pe.
module systolic_pe_float #(
    parameter int EXP     = 8,
    parameter int MAN     = 7,
    parameter int LATENCY = 1,  // from an activation to the sum with its product
    parameter bit SHADOW  = 1'b1
) (
    input  wire logic             clk,
    input  wire logic             rst_n,
    input  wire logic             en,
    input  wire logic [EXP+MAN:0] act_in,
    output      logic [EXP+MAN:0] act_out,
    input  wire logic             valid_in,
    output      logic             valid_out,
    input  wire logic             wgt_swap_in,
    output      logic             wgt_swap_out,
    input  wire logic             wgt_shift_in,
    output      logic             wgt_shift_out,
    input  wire logic [EXP+MAN:0] wgt_in,
    output      logic [EXP+MAN:0] wgt_out,
    input  wire logic [31:0]      psum_in,
    output      logic [31:0]      psum_out
);
  logic [EXP+MAN:0] weight;
  logic [31:0]      product;
  logic [31:0]      staged;
  logic [31:0]      sum;

  systolic_weight #(
      .WIDTH (EXP + MAN + 1),
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

  fp_multiply #(
      .EXP(EXP),
      .MAN(MAN)
  ) multiply (
      .a(act_in),
      .b(weight),
      .product
  );

  systolic_delay #(
      .WIDTH (32),
      .CYCLES(LATENCY - 1)
  ) stages (
      .clk,
      .rst_n,
      .en,
      .in (product),
      .out(staged)
  );

  fp32_add add (
      .a(psum_in),
      .b(staged),
      .sum
  );

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
      psum_out <= sum;
    end
  end
endmodule

`default_nettype wire
