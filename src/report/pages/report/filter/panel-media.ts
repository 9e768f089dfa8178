/** Minimum width at which the table fits, in rem so that text zoom counts; narrower windows show cards. */
export const REPORT_TABLE_MEDIA_QUERY = '(min-width: 48rem)'

/** Minimum width at which the panel fits next to the table; narrower windows use a sheet. */
export const FILTER_PANEL_MEDIA_QUERY = '(min-width: 64rem)'
