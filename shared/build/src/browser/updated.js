// What could not be drawn may be mended by the update of any part, so screens are told of each.
import.meta.webpackHot?.addStatusHandler((status) => {
  if (status === 'idle') dispatchEvent(new Event('dmp:updated'))
})
