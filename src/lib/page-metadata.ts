export const readPageMetadata = (name: string): string | undefined =>
  document.head.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content

/** Returns the URL of the entry script, whose hash identifies the build; undefined in development. */
export const getEntryScriptUrl = (): string | undefined =>
  document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src
