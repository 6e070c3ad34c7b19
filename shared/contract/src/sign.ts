/** The sign of the product: tab, pages and wordmark draw the same. */
export const sign = {
  box: '0 0 32 32',
  ground: '#0b1f3a',
  line: '#69b1ff',
  path: 'M7 17h5l3-8 4 15 3-7h3',
} as const
