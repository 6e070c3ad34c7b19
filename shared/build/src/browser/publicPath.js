// Files come from where the part's first script came from. Said here, because the development server has to know a path
// beforehand, and `publicPath: 'auto'` is none.
__webpack_public_path__ = new URL('.', document.currentScript.src).href
