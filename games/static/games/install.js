/* Lets the site be installed, and say something when there is no line (sw.js). */

navigator.serviceWorker?.register("/sw.js");
