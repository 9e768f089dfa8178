/** Code of the shared demo organisation (specification section 1). */
export const DEMO_ORGANISATION_CODE = 'demo'

/**
 * Role that manages the product itself: sources, organisations, jobs. Only `npm run admin -- create-operator` creates
 * it, and it has no access to any organisation's data.
 */
export const OPERATOR_ROLE = 'operator'
export const OPERATOR_ORGANISATION_CODE = 'operation'
