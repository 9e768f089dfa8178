/** Code of the organisation that anyone may enter (specification section 1). */
export const DEMO_ORGANISATION_CODE = 'demo'

/**
 * Who looks after the product itself: sources, organisations, jobs. Made by `npm run admin -- create-operator` alone, and let into nothing that
 * belongs to an organisation.
 */
export const OPERATOR_ROLE = 'operator'
/** Code of the organisation that operators are users of: it has no words, no projects and no super users. */
export const OPERATION_CODE = 'operation'
