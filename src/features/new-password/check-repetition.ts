/** What a form with a password and its repetition gives for this, as react-hook-form has it. */
type Form = {
  getValues(field: 'confirm_password'): string
  trigger(field: 'confirm_password'): unknown
}

/** The password has changed: checks its repetition again. One that is not typed yet is not wrong yet. */
export function checkRepetition({ getValues, trigger }: Form): void {
  if (getValues('confirm_password') !== '') void trigger('confirm_password')
}
