import { createExternalStore } from '#src/lib/store.ts'

export const unusualAwardPatternsExpandedStore = createExternalStore(false)
