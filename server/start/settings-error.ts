/** Invalid environment; the message lists each variable and its problem. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}
