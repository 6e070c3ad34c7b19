/**
 * Replaces one piece of a library's source; the build fails when it is not there any more, instead of silently doing
 * nothing.
 */
module.exports = function replaceLoader(source) {
  const { search, replace } = this.getOptions()
  if (!source.includes(search))
    throw new Error(
      `${this.resourcePath} does not contain ${JSON.stringify(search)} any more: look whether the patch is still needed.`,
    )
  return source.replace(search, replace)
}
