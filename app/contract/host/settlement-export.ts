import { type Static, Type } from 'typebox';
import { businessDate, Currency, dateTime, Metadata, minorUnits, ReferenceId, signedMinorUnits } from '../parts.ts';
import { Settlement } from '../settlements.ts';
import { PaymentId, strict } from './host-parts.ts';
import { AcceptanceChannel, PaymentStatus, PaymentType } from './payment.ts';

/** One row of a settlement's export (decisions: Exports). The CSV has these columns in this order; metadata is one column of JSON. */
export const SettlementExportRow = Type.Object(
  {
    paymentId: PaymentId,
    type: PaymentType,
    status: PaymentStatus,
    acceptanceChannel: AcceptanceChannel,
    createdAt: dateTime('When the payment was begun, ISO 8601.'),
    currencyCode: Currency,
    amountMinor: minorUnits(0, 'Authorized minor units.'),
    tipAmountMinor: minorUnits(0, 'Tip in minor units.'),
    cashbackAmountMinor: minorUnits(0, 'Cash-back in minor units.'),
    netAmountMinor: signedMinorUnits(
      'What the payment adds to the net amount of the settlement, in minor units: a sale its captured amount, a refund less than nothing, a voided sale nothing. External payments are apart from it: 0.',
    ),
    originalTransactionId: Type.Optional(Type.String({ description: 'The payment that a refund gives back.' })),
    referenceId: Type.Optional(ReferenceId),
    authorizationCode: Type.Optional(Type.String({ description: 'Authorization code of the issuer.' })),
    rrn: Type.Optional(Type.String({ description: 'Retrieval reference number.' })),
    cardScheme: Type.Optional(Type.String({ description: 'Card scheme.' })),
    maskedPan: Type.Optional(Type.String({ description: 'Masked account number.' })),
    metadata: Type.Optional(Metadata),
    businessDate: Type.Optional(businessDate('Business date of the payment, YYYY-MM-DD.')),
  },
  { ...strict, description: 'A payment of the settlement.' },
);
export type SettlementExportRow = Static<typeof SettlementExportRow>;

/** Columns of the CSV export, in their order. */
export const settlementExportColumns = Object.keys(
  SettlementExportRow.properties,
) as readonly (keyof SettlementExportRow)[];

export const SettlementExport = Type.Object(
  {
    settlement: Settlement,
    payments: Type.Array(SettlementExportRow, { description: 'Oldest first.' }),
  },
  { ...strict, description: 'A settlement with its payments.' },
);
export type SettlementExport = Static<typeof SettlementExport>;
