import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Approval } from '../../app/contract/console/console-parts.ts';
import { Refusal } from '../api/console.ts';

/** Reasons for which the dialog stays open and asks again. */
const askAgain = ['APPROVAL_REQUIRED', 'PIN_WRONG', 'PIN_LOCKED'] as const;

function wantsApproval(error: unknown): boolean {
  return error instanceof Refusal && askAgain.some((reason) => reason === error.refusal.reason);
}

/**
 * A call that may need a manager's approval: it is tried without one, and `dialog` (for `ConfirmWithPin`) opens when the till asks for it; with the
 * approval the same request is sent again. `error` is what remains to be shown.
 */
export function useApprovedCall<Request, Response>(options: {
  readonly call: (request: Request, approval: Approval | undefined) => Promise<Response>;
  readonly onSuccess?: (response: Response) => void;
}) {
  const [pending, setPending] = useState<Request>();
  const mutation = useMutation({
    mutationFn: ({ request, approval }: { readonly request: Request; readonly approval?: Approval }) =>
      options.call(request, approval),
    onSuccess(response) {
      setPending(undefined);
      options.onSuccess?.(response);
    },
    onError(error, { request }) {
      setPending(wantsApproval(error) ? request : undefined);
    },
  });
  return {
    start: (request: Request) => mutation.mutate({ request }),
    isBusy: mutation.isPending,
    error: wantsApproval(mutation.error) ? null : mutation.error,
    reset: mutation.reset,
    dialog: {
      isOpen: pending !== undefined,
      isBusy: mutation.isPending,
      error: mutation.error ?? undefined,
      onApprove(approval: Approval) {
        if (pending !== undefined) mutation.mutate({ request: pending, approval });
      },
      onClose() {
        setPending(undefined);
        mutation.reset();
      },
    },
  };
}
