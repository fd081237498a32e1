// The theme styles tables of this class.
document.querySelectorAll(".rst-content table").forEach((table) => table.classList.add("docutils"));

// A heading of the menu without a page has the address "#", which the theme takes for the present page and opens.
document.querySelectorAll(".wy-menu-vertical a[href='#']").forEach((heading, k) => { heading.href = `#menu-${k}`; });
