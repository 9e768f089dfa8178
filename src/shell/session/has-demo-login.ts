import { readPageMetadata } from '#src/lib/page-metadata.ts'

/** Name of the meta element in which the server lists the demo accounts while demo data is loaded. */
export const DEMO_LOGIN_META_NAME = 'sample-login'

export const hasDemoLogin = () => readPageMetadata(DEMO_LOGIN_META_NAME) !== undefined
