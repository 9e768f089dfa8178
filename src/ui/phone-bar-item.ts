export const PHONE_BAR_ITEM_CLASSES =
  'relative flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 rounded-control text-xs focus-visible:-outline-offset-2'
