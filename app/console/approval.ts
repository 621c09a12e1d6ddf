import type { Approval } from '../contract/console/console-parts.ts';
import type { Procedure } from '../contract/console/procedure.ts';
import { ConsoleError } from '../contract/console/refusal.ts';
import { actedOn } from '../domain/ceilings.ts';
import { totalMinor } from '../domain/money.ts';
import { Secret } from '../domain/secret.ts';
import { mayApprove, type StaffMember } from '../domain/staff.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';
import type { PinCheck } from './pin-check.ts';

/** The fields that approval depends on, where a request has them; the procedure's own schema has checked them. */
interface Approvable {
  readonly type?: string;
  readonly amount?: number;
  readonly originalTransactionId?: string;
  readonly approval?: Approval;
}

/**
 * Who approves what the caller asks for; undefined when nobody need. A caller's own word is enough where the role may approve.
 * @throws ConsoleError APPROVAL_REQUIRED, PIN_WRONG, PIN_LOCKED, ROLE_NOT_ALLOWED when the approver is no manager
 */
export type ApprovalCheck = (
  procedure: Procedure,
  name: string,
  caller: StaffMember,
  request: object,
) => Promise<StaffMember | undefined>;

export function createApprovalCheck({ journal, clock, settings }: ConsoleDeps, checkPin: PinCheck): ApprovalCheck {
  function isNeeded(procedure: Procedure, request: Approvable): boolean {
    if (procedure.approval !== 'ABOVE_REFUND_LIMIT') return procedure.approval === 'ALWAYS';
    return givenBackMinor(request) > settings.refundApprovalAboveMinor;
  }

  /** What a refund or void gives back to the customer; releasing a hold gives nothing back, since nothing was charged. */
  function givenBackMinor({ type, amount = 0, originalTransactionId = '' }: Approvable): number {
    if (type === 'REFUND') return amount;
    const named = type === 'VOID' ? journal.findTransaction(originalTransactionId) : undefined;
    if (named === undefined) return 0;
    const original = actedOn(named, journal.dependentsOf(named.transactionId));
    return original.type === 'PRE_AUTH' ? 0 : totalMinor(original);
  }

  return async (procedure, name, caller, given) => {
    const request: Approvable = given;
    if (mayApprove(caller.role) || !isNeeded(procedure, request)) return undefined;
    if (request.approval === undefined) {
      throw new ConsoleError('APPROVAL_REQUIRED', 'a manager has to approve this', { field: 'approval' });
    }
    const { staffId, pin } = request.approval;
    const approver = await checkPin(staffId, new Secret(pin), 'approval.pin');
    if (!mayApprove(approver.role)) {
      throw new ConsoleError('ROLE_NOT_ALLOWED', 'only a manager or administrator can approve', {
        field: 'approval.staffId',
      });
    }
    journal.commit((unit) =>
      unit.appendAudit({
        at: nowIso(clock),
        actor: `console:${approver.name}`,
        action: 'APPROVED',
        subjectId: caller.staffId,
        text: `Approved ${name} for ${caller.name}.`,
      }),
    );
    return approver;
  };
}
