import { createContext, useContext, useSyncExternalStore } from 'react';
import type { SaleController } from './sale-controller.ts';

export const SaleContext = createContext<SaleController | undefined>(undefined);

/** The sale of this window, and what can be done with it. */
export function useSale(): SaleController {
  const controller = useContext(SaleContext);
  if (controller === undefined) throw new Error('used outside of the console');
  useSyncExternalStore(controller.subscribe, () => controller.state);
  return controller;
}
