import { BridgeError } from '../contract/errors.ts';
import type { AuthorizeRequest } from '../contract/host/authorize.ts';
import { accountFields, pinFields } from './account-data.ts';
import { checkPayment } from './authorize-request.ts';
import type { HostAmounts } from './money.ts';
import { chipFields, holdsCardNumber, storableTagsOf } from './offline-tags.ts';

/** What the kernel of a terminal decided without the host. */
export interface KernelDecision {
  readonly decision: 'APPROVED' | 'DECLINED';
  /** Y1 or Y3 for an approval, Z1 or Z3 for a decline, when the chip gave one (decisions section 4). */
  readonly responseCode?: string;
}

/** Authorization response codes of the chip itself, as tag 8A holds them (EMV book 4, annex A6). */
const codesOfTag: Readonly<Record<string, string>> = { '5931': 'Y1', '5933': 'Y3', '5A31': 'Z1', '5A33': 'Z3' };

/** Kinds of cryptogram in the two highest bits of 9F27. */
const CRYPTOGRAM_KIND_MASK = 0xc0;
const TRANSACTION_CERTIFICATE = 0x40;
const APPLICATION_AUTHENTICATION_CRYPTOGRAM = 0x00;

function refuse(field: string, rule: string): never {
  throw new BridgeError('INVALID_REQUEST', `${field} ${rule}`, { field });
}

/**
 * Every rule of a record of what a kernel decided offline (specification: offline-complete; decisions: offline-complete). It is no authorization,
 * and no card data may come with it.
 * @returns the amounts, the decision, and the EMV tags that may be stored
 * @throws BridgeError INVALID_REQUEST naming the field
 */
export function checkOfflineComplete(request: AuthorizeRequest): {
  readonly amounts: HostAmounts;
  readonly kernel: KernelDecision;
  readonly emvTags: ReadonlyMap<string, string>;
} {
  const forbidden = [...accountFields, ...pinFields].find((field) => request[field] !== undefined);
  if (forbidden !== undefined)
    refuse(forbidden, 'must not be given: an offline transaction is recorded without card data');
  const emvTags = storableTagsOf(request.emvTlv ?? {});
  for (const [field, tag] of chipFields) {
    if (holdsCardNumber(tag, request[field] ?? '')) refuse(field, 'must not hold a card number');
  }
  if (request.transactionType === 'refund')
    refuse('transactionType', 'must not be refund: a kernel gives no money back');
  if (request.transactionType === 'pre_auth') {
    refuse('transactionType', 'must not be pre_auth: only an issuer holds funds');
  }
  // Taken already: what the merchant allows today does not undo the tip.
  const amounts = checkPayment(request, undefined);
  return { amounts, kernel: kernelDecisionOf(request, emvTags), emvTags };
}

/**
 * The decision by the chip's own response code (8A) or by the kind of its cryptogram (9F27, or cid): a transaction certificate approves, an
 * authentication cryptogram declines, a request to go online is no decision.
 */
function kernelDecisionOf(request: AuthorizeRequest, tags: ReadonlyMap<string, string>): KernelDecision {
  const responseCode = codesOfTag[tags.get('8A') ?? ''];
  if (tags.has('8A') && responseCode === undefined) refuse('emvTlv.8A', 'must be Y1, Y3, Z1 or Z3 of the chip itself');
  const byCode = responseCode === undefined ? undefined : responseCode.startsWith('Y') ? 'APPROVED' : 'DECLINED';
  const cid = request.cid ?? tags.get('9F27');
  if (cid !== undefined && tags.has('9F27') && cid.toUpperCase() !== tags.get('9F27'))
    refuse('cid', 'must be emvTlv.9F27');
  const byCryptogram = cid === undefined ? undefined : decisionOfCryptogram(cid);
  if (byCode !== undefined && byCryptogram !== undefined && byCode !== byCryptogram) {
    refuse('cid', 'and emvTlv.8A tell different decisions of the kernel');
  }
  const decision = byCryptogram ?? byCode;
  if (decision === undefined) return refuse('cid', 'or emvTlv.8A must tell what the kernel decided');
  return { decision, ...(responseCode === undefined ? {} : { responseCode }) };
}

function decisionOfCryptogram(cid: string): KernelDecision['decision'] | undefined {
  const kind = Number.parseInt(cid, 16) & CRYPTOGRAM_KIND_MASK;
  if (kind === TRANSACTION_CERTIFICATE) return 'APPROVED';
  return kind === APPLICATION_AUTHENTICATION_CRYPTOGRAM ? 'DECLINED' : undefined;
}
