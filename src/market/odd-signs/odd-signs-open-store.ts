import { createExternalStore } from '#src/lib/store.ts'

export const oddSignsExpandedStore = createExternalStore(false)
