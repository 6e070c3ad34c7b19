/** A webpack loader: one line more in a file, as an author would change it. */
module.exports = (source) => `${source}\nconsole.debug('one changed line')\n`
