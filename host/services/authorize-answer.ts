import type { AuthorizeResponse } from '../../app/contract/host/authorize.ts';
import type { Payment } from '../../app/contract/host/payment.ts';
import type { MessageAnswer } from '../ports/acquirer.ts';

/** What the terminal is told of a payment (specification: authorize, response). `answer` where the acquirer has given one. */
export function authorizeResponseOf(
  payment: Payment,
  transactionId: string,
  answer?: Pick<MessageAnswer, 'issuerAuthData' | 'issuerScript71' | 'issuerScript72'>,
): AuthorizeResponse {
  const { authorizationCode, rrn, responseCode = '' } = payment;
  const { issuerAuthData, issuerScript71, issuerScript72 } = answer ?? {};
  const issuer = {
    ...(issuerAuthData === undefined ? {} : { issuerAuthData }),
    ...(issuerScript71 === undefined ? {} : { issuerScript71 }),
    ...(issuerScript72 === undefined ? {} : { issuerScript72 }),
  };
  return {
    payment,
    emv: { ...(responseCode === '' ? {} : { arc: responseCode }), ...issuer },
    transactionId,
    approved: payment.status === 'SUCCEEDED' || payment.status === 'REQUIRES_CAPTURE',
    responseCode,
    ...(authorizationCode === undefined ? {} : { authorizationCode }),
    ...(rrn === undefined ? {} : { rrn }),
    ...issuer,
    message: messageOf(payment),
  };
}

function messageOf({ status, decline }: Payment): string {
  switch (status) {
    case 'SUCCEEDED':
      return 'Approved.';
    case 'REQUIRES_CAPTURE':
      return 'Approved; held until the capture.';
    case 'DECLINED':
      return decline?.merchantMessage ?? 'Declined.';
    case 'REVERSED':
      return 'Taken back: nothing is charged.';
    case 'CANCELED':
      return 'Never authorized: nothing is charged.';
    default:
      return 'The outcome is not known yet. Start no other payment for this one; look it up.';
  }
}
