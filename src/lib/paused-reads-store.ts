import { createExternalStore } from './store.ts'

export const areQueriesPausedStore = createExternalStore(false)
