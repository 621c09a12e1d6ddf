import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../hooks/use-texts.ts';

export interface SidePanelProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** CSS length; never wider than the window. */
  readonly width?: string;
  /** False: whoever opens it says where the focus goes. */
  readonly returnsFocus?: boolean;
  readonly children: ReactNode;
}

/** A drawer over the page that it belongs to: Esc closes it, and the focus goes back to where it came from. */
export function SidePanel({ title, isOpen, onClose, width = '720px', returnsFocus = true, children }: SidePanelProps) {
  const { t } = useTexts();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      returnFocus={returnsFocus}
      position="right"
      size={`min(${width}, 100vw)`}
      title={title}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      overlayProps={{ backgroundOpacity: 0.4 }}
    >
      {children}
    </Drawer>
  );
}
