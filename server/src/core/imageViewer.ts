/** As pages and the terminal name it while it is being built. */
export const imageViewer = 'the image viewer'
