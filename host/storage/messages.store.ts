import type { Selectable } from 'kysely';
import type { MessageKind } from '../ports/acquirer.ts';
import type { AcquirerAnswerRecord, AcquirerMessage, StoredAcquirerMessage } from '../ports/host-records.ts';
import type { HostReader, HostUnit } from '../ports/host-store.ts';
import { type Db, hasChanged, present } from './db.ts';
import type { AcquirerMessagesTable } from './schema.ts';

/** The log of what was sent to the acquirers. */
export function createMessageReader(db: Db): Pick<HostReader, 'listMessages'> {
  return {
    async listMessages({ merchantId, paymentId }) {
      const rows = await db
        .selectFrom('acquirer_messages')
        .selectAll()
        .where('merchant_id', '=', merchantId)
        .where('payment_id', '=', paymentId)
        .orderBy('created_at')
        .orderBy('attempt')
        .orderBy('message_id')
        .execute();
      return rows.map(recordOf);
    },
  };
}

export function createMessageWriter(db: Db): Pick<HostUnit, 'addMessage' | 'answerMessage'> {
  return {
    async addMessage(message) {
      await db.insertInto('acquirer_messages').values(messageRow(message)).execute();
    },
    async answerMessage({ merchantId, paymentId, messageId, sentAtMs }, answer, atMs) {
      const result = await db
        .updateTable('acquirer_messages')
        .set({ answered_at: atMs, answer: answerText(answer) })
        .where('merchant_id', '=', merchantId)
        .where('payment_id', '=', paymentId)
        .where('message_id', '=', messageId)
        .where('created_at', '=', sentAtMs)
        .where('answered_at', 'is', null)
        .executeTakeFirst();
      return hasChanged(result);
    },
  };
}

export function messageRow(message: AcquirerMessage) {
  return {
    merchant_id: message.merchantId,
    payment_id: message.paymentId,
    message_id: message.messageId,
    created_at: message.sentAtMs,
    terminal_id: message.terminalId,
    acquirer: message.acquirer,
    kind: message.kind,
    attempt: message.attempt,
    stan: message.stan ?? null,
    rrn: message.rrn ?? null,
    reference: message.reference ?? null,
    amount_minor: message.amountMinor,
    answered_at: null,
    answer: null,
  };
}

/** Only the named fields are kept, whatever an acquirer's answer carries beside them. */
export function answerText({ responseCode, authorizationCode, rrn, note }: AcquirerAnswerRecord): string {
  return JSON.stringify({ responseCode, authorizationCode, rrn, note });
}

function recordOf(row: Selectable<AcquirerMessagesTable>): StoredAcquirerMessage {
  const { stan, rrn, reference, answered_at: answeredAtMs } = row;
  return {
    merchantId: row.merchant_id,
    messageId: row.message_id,
    paymentId: row.payment_id,
    terminalId: row.terminal_id,
    acquirer: row.acquirer,
    kind: row.kind as MessageKind,
    attempt: row.attempt,
    amountMinor: row.amount_minor,
    sentAtMs: row.created_at,
    ...present({ stan, rrn, reference, answeredAtMs }),
    ...(row.answer === null ? {} : { answer: JSON.parse(row.answer) as AcquirerAnswerRecord }),
  };
}
