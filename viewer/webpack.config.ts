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

/**
 * Code streams of JPEG 2000 may say unsigned where the header says signed: their values are decoded as unsigned words,
 * in which the negative ones that Cornerstone then makes of them come out as very bright.
 */
const signedWords = {
  test: /decodeImageFrameWorker\.js$/,
  loader: path.join(here, 'replaceLoader.cjs'),
  options: {
    search: 'if (shouldShift && shift !== undefined) {',
    replace: `if (shouldShift && shift !== undefined) {
      if (imageFrame.pixelData instanceof Uint16Array || imageFrame.pixelData instanceof Uint8Array)
        imageFrame.pixelData = Int32Array.from(imageFrame.pixelData);`,
  },
}

const configuration: Configure = (mode) => {
  const base = configure(mode)
  return {
    ...base,
    module: { ...base.module, rules: [...(base.module?.rules ?? []), styleWithoutAttribute, signedWords] },
  }
}

export default configuration
