import type { Clock } from '../../app/ports/clock.ts';
import type { ArmedRules } from './armed-rules.ts';
import type { BookFile } from './book-file.ts';
import { decide, decideAgain, found } from './decide.ts';
import type { BookEntry } from './entries.ts';
import type { Ledger } from './ledger.ts';
import {
  type BookedRequest,
  lineOf,
  type MoneyAnswer,
  type SimulatorReply,
  type SimulatorRequest,
} from './protocol.ts';
import { type Fault, parseRule, type Rule } from './rules.ts';

/** Days after a close until the money is said to arrive. */
const FUNDING_DAYS = 1;
const DAY_MS = 86_400_000;

/** Where answers go. */
export interface Caller {
  /** Sends text; nothing happens once the connection is gone. */
  send(text: string): void;
  drop(): void;
}

interface DeskDeps {
  readonly book: BookFile;
  readonly ledger: Ledger;
  readonly armed: ArmedRules;
  readonly clock: Clock;
  readonly slowMs: number;
}

/** Takes requests: decides, books, and answers when the book is on the medium. Rules change what is told, never what is booked. */
export function createDesk({ book, ledger, armed, clock, slowMs }: DeskDeps): {
  receive(request: SimulatorRequest, caller: Caller): void;
} {
  const nowIso = () => new Date(clock.nowMs()).toISOString();
  const write = (entry: BookEntry) => ledger.apply(book.append(entry, nowIso()));

  const bookMessage = (
    request: BookedRequest,
    armedRule: Rule | undefined,
  ): { reply: SimulatorReply; rule: Rule | undefined } => {
    const known = ledger.message(request.reference);
    if (known !== undefined) {
      const { isSame, reply } = decideAgain(request, known, ledger);
      write({ kind: isSame ? 'REPEATED' : 'CONFLICT', reference: request.reference });
      return { reply, rule: armedRule };
    }
    const simulate = request.type === 'AUTHORIZE' ? request.simulate : undefined;
    const rule = armedRule ?? (simulate === undefined ? undefined : parseRule(simulate));
    const fundingDate = new Date(clock.nowMs() + FUNDING_DAYS * DAY_MS).toISOString().slice(0, 10);
    const decision = decide(request, { ledger, rule, fundingDate });
    write({ kind: 'MESSAGE', request, ...decision });
    return { reply: decision.reply, rule };
  };

  const process = (request: SimulatorRequest, caller: Caller, armedRule: Rule | undefined) => {
    if (request.type === 'ASK') {
      const reply = found(request, ledger);
      book.afterSync(() => tell(reply, armedRule, caller, clock, slowMs));
      return;
    }
    const { reply, rule } = bookMessage(request, armedRule);
    book.afterSync(() => tell(reply, rule, caller, clock, slowMs));
  };

  return {
    receive(request, caller) {
      const armedRule = armed.take(request.type);
      const isNew = request.type === 'ASK' || ledger.message(request.reference) === undefined;
      const named =
        request.type === 'AUTHORIZE' && isNew && request.simulate !== undefined
          ? parseRule(request.simulate)
          : undefined;
      const fault = faultOf(armedRule ?? named);
      if (fault === 'drop-before-host') caller.drop();
      else if (fault === 'late-booking') clock.after(slowMs, () => process(request, caller, withoutFault(armedRule)));
      else if (fault !== 'lost-before-host') process(request, caller, armedRule);
    },
  };
}

function faultOf(rule: Rule | undefined): Fault | undefined {
  return rule?.kind === 'FAULT' ? rule.fault : undefined;
}

/** A message that has been held back long enough is treated as any other. */
function withoutFault(rule: Rule | undefined): Rule | undefined {
  return faultOf(rule) === 'late-booking' ? undefined : rule;
}

function tell(reply: SimulatorReply, rule: Rule | undefined, caller: Caller, clock: Clock, slowMs: number): void {
  const line = lineOf(distorted(reply, rule));
  switch (faultOf(rule)) {
    case 'no-answer':
      return;
    case 'slow':
      clock.after(slowMs, () => caller.send(line));
      return;
    case 'duplicate-reply':
      caller.send(line + line);
      return;
    case 'drop-after-host':
      caller.drop();
      return;
    case 'half-line':
      caller.send(line.slice(0, line.length / 2));
      caller.drop();
      return;
    case 'noise':
      caller.send('\u0000\u0007{"type":"ANSWER"}}}\n');
      return;
    default:
      caller.send(line);
  }
}

/** A PIN unblock before the last word of the chip, and a new value of one of its data after it (EMV book 3, 10.10). Their MACs are no real ones. */
const ISSUER_SCRIPTS = {
  issuerScript71: '9F18040000000186098424000004A1B2C3D4',
  issuerScript72: '9F180400000002860C04DA9F580701112233445566',
} as const;

/** What is told instead of the truth. */
function distorted(reply: SimulatorReply, rule: Rule | undefined): SimulatorReply {
  if (reply.type !== 'ANSWER' || rule === undefined) return reply;
  const told = (change: Partial<MoneyAnswer>): SimulatorReply => ({
    ...reply,
    answer: { ...reply.answer, ...change, rule: rule.name },
  });
  if (rule.kind === 'BOOKED') return told({ responseCode: rule.code });
  switch (faultOf(rule)) {
    case 'wrong-amount':
      return told({ amountMinor: reply.answer.amountMinor + 1 });
    case 'wrong-currency':
      return told({ currencyCode: reply.answer.currencyCode === 'XOF' ? 'EUR' : 'XOF' });
    case 'wrong-operation':
      return told({ operation: reply.answer.operation === 'refund' ? 'purchase' : 'refund' });
    case 'wrong-terminal':
      return told({ terminalId: 'ANOTHER-TERMINAL' });
    case 'wrong-issuer-data':
      return told(withOtherCryptogram(reply.answer));
    case 'issuer-scripts':
      return told(ISSUER_SCRIPTS);
    default:
      return told({});
  }
}

/** A chip that is given none is told one all the same. */
function withOtherCryptogram({ issuerAuthData = '00'.repeat(10) }: MoneyAnswer): Pick<MoneyAnswer, 'issuerAuthData'> {
  const [first = 0, ...rest] = Buffer.from(issuerAuthData, 'hex');
  return {
    issuerAuthData: Buffer.of(first ^ 1, ...rest)
      .toString('hex')
      .toUpperCase(),
  };
}
