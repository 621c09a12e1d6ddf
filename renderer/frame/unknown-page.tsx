import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { EmptyState } from '../components/empty-state.tsx';
import { useTexts } from '../hooks/use-texts.ts';

/** An address that leads nowhere, e.g. an old bookmark. */
export function UnknownPage() {
  const { t } = useTexts();
  const navigate = useNavigate();
  return (
    <EmptyState
      icon={IconMapQuestion}
      title={t('common:unknownPage')}
      actions={<Button onClick={() => void navigate({ to: '/' })}>{t('common:toSell')}</Button>}
    />
  );
}
