export const key = 'j'
