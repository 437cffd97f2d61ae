`default_nettype none

// The PE at one place of an array: systolic_pe or, with FLOAT, systolic_pe_float; or the module that
// the macro SYSTOLE_PE names, which has the ports of systolic_pe in the widths that are given here.
module systolic_cell #(
    parameter int ACT_WIDTH  = 8,
    parameter int WGT_WIDTH  = 8,
    parameter int PSUM_WIDTH = 32,
    parameter bit FLOAT      = 1'b0,
    parameter int EXP        = 8,
    parameter int MAN        = 7,
    parameter int LATENCY    = 1,
    parameter bit SATURATE   = 1'b0,
    parameter bit SHADOW     = 1'b1
) (
    input  wire logic                  clk,
    input  wire logic                  rst_n,
    input  wire logic                  en,
    input  wire logic [ACT_WIDTH-1:0]  act_in,
    output      logic [ACT_WIDTH-1:0]  act_out,
    input  wire logic                  valid_in,
    output      logic                  valid_out,
    input  wire logic                  wgt_swap_in,
    output      logic                  wgt_swap_out,
    input  wire logic                  wgt_shift_in,
    output      logic                  wgt_shift_out,
    input  wire logic [WGT_WIDTH-1:0]  wgt_in,
    output      logic [WGT_WIDTH-1:0]  wgt_out,
    input  wire logic [PSUM_WIDTH-1:0] psum_in,
    output      logic [PSUM_WIDTH-1:0] psum_out
);
`ifdef SYSTOLE_PE
  // By name, so that a port that is missing is told.
  `SYSTOLE_PE pe (
      .clk(clk),
      .rst_n(rst_n),
      .en(en),
      .act_in(act_in),
      .act_out(act_out),
      .valid_in(valid_in),
      .valid_out(valid_out),
      .wgt_swap_in(wgt_swap_in),
      .wgt_swap_out(wgt_swap_out),
      .wgt_shift_in(wgt_shift_in),
      .wgt_shift_out(wgt_shift_out),
      .wgt_in(wgt_in),
      .wgt_out(wgt_out),
      .psum_in(psum_in),
      .psum_out(psum_out)
  );
`else
  if (FLOAT) begin : gen_float
    systolic_pe_float #(
        .EXP(EXP),
        .MAN(MAN),
        .LATENCY(LATENCY),
        .SHADOW(SHADOW)
    ) pe (
        .*
    );
  end else begin : gen_integer
    systolic_pe #(
        .ACT_WIDTH (ACT_WIDTH),
        .WGT_WIDTH (WGT_WIDTH),
        .PSUM_WIDTH(PSUM_WIDTH),
        .LATENCY   (LATENCY),
        .SATURATE  (SATURATE),
        .SHADOW    (SHADOW)
    ) pe (
        .*
    );
  end
`endif
endmodule

`default_nettype wire
