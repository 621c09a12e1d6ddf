/** The words of exported tables in one language. What the API names by a code (SALE, APPROVED) stays that code in every language. */
export interface TableWords {
  /** Headings. */
  readonly column: {
    readonly time: string;
    readonly businessDay: string;
    readonly terminal: string;
    readonly type: string;
    readonly state: string;
    readonly charged: string;
    readonly amount: string;
    readonly tip: string;
    readonly cashback: string;
    readonly total: string;
    readonly currency: string;
    readonly card: string;
    readonly cardNumber: string;
    readonly authorization: string;
    readonly rrn: string;
    readonly reference: string;
    readonly original: string;
    readonly startedBy: string;
    readonly via: string;
    readonly close: string;
    readonly id: string;
    readonly closed: string;
    readonly sales: string;
    readonly salesAmount: string;
    readonly refunds: string;
    readonly refundsAmount: string;
    readonly voids: string;
    readonly voidsAmount: string;
    readonly net: string;
    readonly merchant: string;
    readonly section: string;
    readonly name: string;
    readonly number: string;
    readonly terminalNumber: string;
    readonly terminalAmount: string;
  };
  /** Where in a Z report a figure stands. */
  readonly section: {
    readonly report: string;
    readonly type: string;
    readonly total: string;
    readonly card: string;
    readonly cashier: string;
    readonly cash: string;
  };
  /** What a figure of a Z report is. */
  readonly figure: {
    readonly zReport: string;
    readonly businessDay: string;
    readonly closed: string;
    readonly closedBy: string;
    readonly terminal: string;
    readonly state: string;
    readonly net: string;
    readonly tips: string;
    readonly cashback: string;
    readonly openingFloat: string;
    readonly counted: string;
    readonly fromCashSales: string;
    readonly journalRow: string;
    readonly journalHash: string;
  };
}
