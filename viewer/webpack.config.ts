import path from 'node:path'
import { viewerConfig, type Configure } from '@dmp/build'

const here = import.meta.dirname
const configure = viewerConfig(here)

/**
 * Cornerstone writes one style attribute as text, which `style-src 'self'` forbids; set through the object model it is
 * allowed.
 */
const styleWithoutAttribute = {
  test: /drawTextBox\.js$/,
  loader: path.join(here, 'replaceLoader.cjs'),
  options: {
    search: "textElement.setAttribute('style', combinedStyle)",
    replace: 'textElement.style.cssText = combinedStyle',
  },
}

const configuration: Configure = (mode) => {
  const base = configure(mode)
  return { ...base, module: { ...base.module, rules: [...(base.module?.rules ?? []), styleWithoutAttribute] } }
}

export default configuration
