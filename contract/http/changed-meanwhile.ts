/**
 * Error code of a change that conflicts with a colleague's earlier one; the response body contains the current state in
 * `current`.
 */
export const EDIT_CONFLICT_ERROR_CODE = 'changed_meanwhile'
