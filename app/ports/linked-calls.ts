import type { LinkAnswer, LinkCall } from '../contract/host/link.ts';

/** The POS API as a call reaches it that our host passes on (decisions: Cloud POS). */
export interface LinkedCalls {
  /** Answers as the till's own address would, refusals included. @param terminalId the till's terminal whose link the call came over */
  answer(terminalId: string, call: LinkCall): Promise<Pick<LinkAnswer, 'statusCode' | 'headers' | 'body'>>;
}
