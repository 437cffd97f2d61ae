// The sum loses its last two bits.
module truncating_sum (
    input  logic               clk,
    input  logic               rst_n,
    input  logic               en,
    input  logic signed [7:0]  act_in,
    output logic signed [7:0]  act_out,
    input  logic               valid_in,
    output logic               valid_out,
    input  logic               wgt_swap_in,
    output logic               wgt_swap_out,
    input  logic               wgt_shift_in,
    output logic               wgt_shift_out,
    input  logic signed [7:0]  wgt_in,
    output logic signed [7:0]  wgt_out,
    input  logic signed [31:0] psum_in,
    output logic signed [31:0] psum_out
);
  logic signed [7:0]  active;
  logic signed [7:0]  weight;
  logic signed [15:0] product;
  logic signed [31:0] sum;
  assign sum = psum_in + 32'(product);

  assign weight = wgt_swap_in ? wgt_out : active;
  assign product = act_in * weight;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      act_out <= '0;
      valid_out <= 1'b0;
      wgt_swap_out <= 1'b0;
      wgt_shift_out <= 1'b0;
      wgt_out <= '0;
      active <= '0;
      psum_out <= '0;
    end else if (en) begin
      act_out <= act_in;
      valid_out <= valid_in;
      wgt_swap_out <= wgt_swap_in;
      wgt_shift_out <= wgt_shift_in;
      if (wgt_shift_in) wgt_out <= wgt_in;
      active <= weight;
      psum_out <= {sum[31:2], 2'b00};
    end
  end
endmodule
