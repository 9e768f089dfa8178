/** The environment is not usable; the message names each variable and what is wrong with it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
