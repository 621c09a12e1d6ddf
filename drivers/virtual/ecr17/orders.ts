// Payment commands held against the book: what is ordered, or why not, before any card is asked for.
import type {
  PaymentCommand,
  PreAuthorizationCommand,
  ReversalCommand,
  VerificationCommand,
} from '../../ecr17/codec/command-types.ts';
import { type LedgerTransaction, type LedgerView, stands } from '../book/ledger.ts';
import type { Ecr17Order, Procedure } from './state.ts';

export type ProcedureCommand = PaymentCommand | PreAuthorizationCommand | ReversalCommand | VerificationCommand;

/** Why a terminal takes no card for a command, in the words of its result, with the host's action code for it. */
export interface Refusal {
  readonly text: string;
  readonly actionCode: string;
}

export type OrderResult =
  | { readonly ok: true; readonly order: Ecr17Order }
  | { readonly ok: false; readonly procedure: Procedure; readonly refusal: Refusal };

/** Action codes of ISO 8583:1993. */
const NOT_TO_BE_TRACED: Refusal = { text: 'OPERAZ. NON TROVATA', actionCode: '914' };
const WRONG_AMOUNT: Refusal = { text: 'IMPORTO NON VALIDO', actionCode: '110' };

const PROCEDURES = {
  payment: 'P',
  'extended-payment': 'X',
  'pre-authorization': 'p',
  increment: 'i',
  closure: 'c',
  reversal: 'S',
  verification: 'H',
} as const satisfies Record<ProcedureCommand['type'], Procedure>;

/** What is behind the STAN in a pre-authorization code, so that nobody takes one for the other. */
const CODE_FACTOR = 7;
const CODE_MODULUS = 1000;

/** Nine digits by which i and c find a pre-authorization. */
export function preAuthorizationCode(trace: number): string {
  const check = (trace * CODE_FACTOR) % CODE_MODULUS;
  return `${String(trace).padStart(6, '0')}${String(check).padStart(3, '0')}`;
}

/** Holds a command against the book. */
export function orderOf(command: ProcedureCommand, ledger: LedgerView): OrderResult {
  const procedure = PROCEDURES[command.type];
  switch (command.type) {
    case 'verification':
      return { ok: true, order: { procedure, operation: 'VERIFICATION', amountMinor: 0 } };
    case 'reversal':
      return reversal(command, ledger);
    case 'increment':
    case 'closure':
      return onPreAuthorization(command, ledger);
    default: {
      const operation = command.type === 'pre-authorization' ? 'PRE_AUTH' : 'SALE';
      const isCardPresent = command.isCardPresent === true ? { isCardPresent: true as const } : {};
      return withAmount({ procedure, operation, ...asked(command), ...isCardPresent });
    }
  }
}

function asked({ amountMinor, receiptText }: PaymentCommand | PreAuthorizationCommand) {
  return { amountMinor, ...(receiptText === undefined ? {} : { receiptText }) };
}

function withAmount(order: Ecr17Order): OrderResult {
  return order.amountMinor > 0 ? { ok: true, order } : refused(order.procedure, WRONG_AMOUNT);
}

/** The card of the original counts: the customer need not be there. */
function onPreAuthorization(command: PreAuthorizationCommand, ledger: LedgerView): OrderResult {
  const procedure = PROCEDURES[command.type];
  const open = ledger
    .openPreAuthorizations()
    .find(({ trace }) => preAuthorizationCode(trace) === command.preAuthorizationCode);
  if (open === undefined) return refused(procedure, NOT_TO_BE_TRACED);
  const common = { procedure, ...asked(command), card: open.card };
  if (command.type === 'increment') return withAmount({ ...common, operation: 'PRE_AUTH', extendsId: open.id });
  if (command.amountMinor > open.heldMinor) return refused(procedure, WRONG_AMOUNT);
  return withAmount({ ...common, operation: 'COMPLETION', originalId: open.id });
}

/** Only the last payment, only while it stands in the open batch, and only with its card. */
function reversal({ stan }: ReversalCommand, ledger: LedgerView): OrderResult {
  const last = lastPayment(ledger);
  const isMeant = last !== undefined && (stan === undefined || Number(stan) === last.trace);
  if (!isMeant || !stands(last) || last.batch !== ledger.batch()) return refused('S', NOT_TO_BE_TRACED);
  return {
    ok: true,
    order: {
      procedure: 'S',
      operation: 'VOID',
      amountMinor: last.amountMinor,
      originalId: last.id,
      cardId: last.card.id,
    },
  };
}

/** The newest sale or completion. What came after it (a refusal, a hold, its own reversal) is no payment. */
function lastPayment(ledger: LedgerView): LedgerTransaction | undefined {
  for (let id = ledger.nextSequence() - 1; id > 0; id--) {
    const transaction = ledger.get(id);
    if (transaction?.operation === 'SALE' || transaction?.operation === 'COMPLETION') return transaction;
  }
  return undefined;
}

function refused(procedure: Procedure, refusal: Refusal): OrderResult {
  return { ok: false, procedure, refusal };
}
