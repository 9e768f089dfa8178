/** For a standalone link, which is 44 px high on touch screens. */
export const TEXT_LINK_CLASSES =
  'inline-flex items-center rounded-control text-accent-ink hover:underline touch:min-h-11'
export const UNDERLINED_LINK_CLASSES = 'inline-flex items-center text-accent-ink underline touch:min-h-11'
