import { UnstyledButton } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import type { SessionState } from '../../../app/contract/console/session.ts';
import styles from './staff-choice.module.css';

export interface StaffChoiceProps {
  readonly staff: SessionState['staff'];
  readonly onChoose: (staffId: string) => void;
}

/** One wide target for each member of the staff. */
export function StaffChoice({ staff, onChoose }: StaffChoiceProps) {
  return (
    <ul className={styles.list}>
      {staff.map(({ staffId, name }) => (
        <li key={staffId}>
          <UnstyledButton className={styles.member} onClick={() => onChoose(staffId)}>
            <IconUser size={24} stroke={1.75} aria-hidden />
            {name}
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
