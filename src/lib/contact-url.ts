/** Where the operator wants to be asked, `https:`, `mailto:` or `tel:`: the server writes it into the page. Undefined when none is known. */
export const contactUrl = () =>
  document.querySelector<HTMLMetaElement>('meta[name="contact-url"]')?.content || undefined
