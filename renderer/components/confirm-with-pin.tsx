import { Alert, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Approval } from '../../app/contract/console/console-parts.ts';
import { Refusal } from '../api/console.ts';
import { useRefusalText } from '../hooks/use-refusal-text.ts';
import { useSession } from '../hooks/use-session.ts';
import { useTexts } from '../hooks/use-texts.ts';
import { PinEntry } from './pin-entry.tsx';

export interface ConfirmWithPinProps {
  readonly isOpen: boolean;
  /** What is asked for, e.g. `Give back 80.00 €`. */
  readonly title: string;
  readonly text?: string;
  readonly isBusy: boolean;
  /** What the last try was rejected with; a wrong PIN is told beside the field. */
  readonly error?: unknown;
  readonly onApprove: (approval: Approval) => void;
  readonly onClose: () => void;
}

/** A manager's word on the spot: who, and the PIN. Nothing of it is kept after it was sent. */
export function ConfirmWithPin({ isOpen, title, text, isBusy, error, onApprove, onClose }: ConfirmWithPinProps) {
  const { t } = useTexts();
  const { staff, signedIn } = useSession();
  const others = staff.filter((member) => member.staffId !== signedIn.staffId);
  const [chosen, setChosen] = useState<string>();
  const staffId = chosen ?? others[0]?.staffId;
  const { sentence } = useRefusalText()(error);
  // The first answer only asked for the approval: that is why this dialog is open.
  const isProblem = error instanceof Refusal && error.refusal.reason !== 'APPROVAL_REQUIRED';
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      data-testid="approval"
    >
      <Stack>
        <Text>{text ?? t('common:approval.text')}</Text>
        {staffId === undefined ? (
          <Alert color="gray">{t('common:approval.nobody')}</Alert>
        ) : (
          <>
            <NativeSelect
              label={t('common:approval.who')}
              value={staffId}
              onChange={(event) => setChosen(event.currentTarget.value)}
              data={others.map((member) => ({ value: member.staffId, label: member.name }))}
            />
            <PinEntry
              label={t('common:pin.label')}
              submitLabel={t('common:approval.approve')}
              isBusy={isBusy}
              problem={isProblem ? sentence : undefined}
              onSubmit={(pin) => onApprove({ staffId, pin })}
            />
          </>
        )}
      </Stack>
    </Modal>
  );
}
