import { type Static, Type } from 'typebox';
import { MAX_LINK_ANSWER_BYTES } from '../../app/contract/host/host-limits.ts';
import { LinkAnswer, LinkCall } from '../../app/contract/host/link.ts';

const strict = { additionalProperties: false };
const Name = Type.String({ minLength: 1, maxLength: 255 });

/** Subjects of one node: take a call for a terminal that is linked there; tell whether a call is still under way there. */
export const PASS = 'call';
export const UNDER_WAY = 'under-way';

/** A POS call on its way from the node at which it entered to the node that holds the terminal. */
export const PassedCall = Type.Object(
  {
    merchantId: Name,
    terminalId: Name,
    fence: Type.Integer({ minimum: 1, description: 'Of the lease under which it is passed.' }),
    startBeforeMs: Type.Integer({
      description: 'By the store’s clock: a call that has been under way for longer is not begun.',
    }),
    timeoutMs: Type.Integer({ minimum: 1, maximum: 600_000 }),
    call: LinkCall,
  },
  strict,
);
export type PassedCall = Static<typeof PassedCall>;

/** What has become of it. */
export const PassedResult = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('ANSWERED'),
      answer: Type.Object(
        {
          statusCode: LinkAnswer.properties.statusCode,
          headers: LinkAnswer.properties.headers,
          body: Type.String({ maxLength: MAX_LINK_ANSWER_BYTES }),
        },
        strict,
      ),
    },
    strict,
  ),
  Type.Object({ kind: Type.Literal('NOT_LINKED') }, strict),
  Type.Object({ kind: Type.Literal('LOST') }, strict),
]);
