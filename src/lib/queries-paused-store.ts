import { createExternalStore } from './store.ts'

export const queriesPausedStore = createExternalStore(false)
