/** Code of the refusal of a change that a colleague's came before; the body holds the state of now as `current`. */
export const CHANGED_MEANWHILE = 'changed_meanwhile'
