// Texts of all formats that text_file.hpp reads: what is read, and what is refused.
#pragma once

#include <string>
#include <vector>

namespace orujo::internal::formats {

inline const std::vector<std::string>& good_texts() {
  using namespace std::string_literals;
  static const std::vector<std::string> texts = {
      "1 2\n",
      "1 2",
      "1 2\n3 4\n5 6\n7 8\n",
      "1 2\r\n3 4\r\n\r\n5 6\r\n",
      "\xef\xbb\xbf"s + "10 20\n30 40",
      "# Nodes: 4 Edges: 3\n# FromNodeId\tToNodeId\n0\t1\n0\t2\n3\t0\n",
      "0 1 .5\n% comment in the middle of it all, longer than the lines around\n2 3 1e3\n4 5 -1\n",
      "\n\n\n7 8\n\n\n\n9 18446744073709551615\n\n\n",
      "1 2\n# only comments follow\n# and\n# more\n#",
      "1 2                              \n            3 4\n",
      "1,2\n3 ,4\n5, 6\n7\t8\n",
      "1,2,.5\n3,4,1e3\r\n5 6 7",
      "// text\n1 2\n//\n3 4\n",
      "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 2 5\n2 2 6\n1 3 -7\n",
      "%%MatrixMarket matrix coordinate pattern general\n% text\n\n5 5 3\n1 5\n% text\n2 2\n5 1\n",
      "%%matrixmarket MATRIX Coordinate Real Symmetric\r\n3 3 4\r\n1 1 .5\r\n2 1 -1e3\r\n3 1 7\r\n3 2 8\r\n",
      "\xef\xbb\xbf%%MatrixMarket matrix coordinate integer skew-symmetric\n9 9 1\n9 1 -4",
      "%%MatrixMarket matrix coordinate real general\n7 7 0\n",
      "c text\nc\np sp 4 3\nc more\na 1 2 30\na 4 3 1.5\na  2\t2 0",
      "p edge 5 2\ne 1 2\ne 5 4\n",
      "%%MatrixMarket matrix coordinate real\n3 4 3\n1 4 3\n 2 1 3\n3 3 3",
      "% METIS\n3 2\n2 3\n1\n1\n",
      "% METIS\r\n% more\r\n 4 2 000\r\n\r\n% text\r\n 4  3 \r\n%\r\n2\r\n2",
      "% METIS\n5 0\n\n\n \n\t\n\n\n\n",
      "% METIS\n3 2 001\n2 .5 3 7\n1 .5\n1 7\n",
      "% METIS\n3 2 111 2\n9 1 2 2 .5 3 7\n9 1 2 1 .5\n9 1 2 1 7\n",
      "% METIS\n2 0 10\n7\n8",
      "% METIS\n0 0\n",
  };
  return texts;
}

inline const std::vector<std::string>& bad_texts() {
  using namespace std::string_literals;
  static const std::vector<std::string> texts = {
      "",
      "\n",
      "# no edges\n",
      "\xef\xbb\xbf",
      "x",
      "1 2\n3 4\n5 x\n7 8\n9 y\n",
      "1 2\n3 4\n5\n7 8\n",
      "1 2\n3 4\n5 6 7\n7 8\n",
      "1 2 3\n3 4 5\n5 6\n7 8 9\n",
      "1 2 3\n3 4 5\n5 6\n7 8 x\n",
      "1 2\n3 4\n5 6 7\n8 9 x\n1 2 3\n1 2 3\n",
      "1 2\n3 4\n5 6 nan\n8 9\n",
      "1 2\n3 4\n5 6 7 8\n8 9\n",
      "# comment\n# comment\n# comment\n1 2\n# comment\n# comment\n1 2 3",
      "1 2\r\n3 4\r\n5 6\r\n7 -8\r\n",
      "\xff\xfe"s + "1\0 \0002\0\n\0003\0 \0004\0\n\0"s,
      "1 2\n3 4\n5 6\0\n7 8\n"s,
      "1 2\n3 4\n5 6\n7 18446744073709551616",
      "1,2\n3,,4\n",
      "1,2\n,3,4\n",
      "1,2\n3,4,\n5,6\n",
      "%%MatrixMarket matrix array real general\n3 3\n1 2 3\n",
      "%%MatrixMarket matrix coordinate complex general\n3 3 1\n1 2 3 4\n",
      "%%MatrixMarket matrix coordinate real\n",
      "%%MatrixMarket matrix coordinate real general\n% no sizes\n",
      "%%MatrixMarket matrix coordinate real symmetric\n3 4 1\n1 2 3\n",
      "%%MatrixMarket matrix coordinate real general\n3 4 4\n1 2 3\n2 4 3\n3 3 3\n4 1 2\n",
      "%%MatrixMarket matrix coordinate real general\n3 3 1 1\n1 2 3\n",
      "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 3\n",
      "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 3\n1 2 3\n",
      "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 3\n1 2\n",
      "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n1 2 3\n",
      "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n0 2\n",
      "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 4\n",
      "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1,2\n3,1\n",
      "c text\nc text\n",
      "c text\na 1 2 3\n",
      "p sp 3\na 1 2 3\n",
      "p min 3 1\na 1 2 3\n",
      "p sp 3 2\na 1 2 3\n1 2 3\n",
      "p sp 3 2\na 1 2 3\np sp 3 2\n",
      "p sp 3 2\na 1 2 3\na\n",
      "p sp 3 2\na 1 2 3\na 3 4 1\n",
      "p edge 3 1\ne 1 2 3\n",
      "\1\0\0\0\0\0\0\0galois"s,
      "% METIS\n",
      "% METIS\n3\n2 3\n1\n1\n",
      "% METIS\n3 2 2\n2 3\n1\n1\n",
      "% METIS\n3 2\n2 3\n1\n",
      "% METIS\n3 2\n2 3\n1\n1\n\n2\n",
      "% METIS\n3 2\n2 3\n1\n1 2\n",
      "% METIS\n3 2\n2 3\n3\n1\n",
      "% METIS\n3 2 1\n2 1 3 1\n%\n1 2\n1 1\n",
      "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 1\n1 4\n",
      "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n1 2\n3 3\n4 1\n",
      "%%MatrixMarket matrix coordinate integer skew-symmetric\n4 4 3\n2 1 1\n3 3 0\n1 4 1\n",
      "%%MatrixMarket matrix coordinate integer general\n4 4 2\n2 1 1\n3 3 .5\n",
      "% METIS\n3 2\n2 3\n1\n0\n",
      "% METIS\n3 2\n2 3\n1\n4\n",
      "% METIS\n3 2\n2 3\n1 x\n1\n",
      "% METIS\n3 2 1\n2 1 3 1\n1\n1 1\n",
      "% METIS\n3 2 11\n2 1 3 1\n\n1 1\n",
      "% METIS\n3 2\n2 " + std::string(300, '0') + "3\n1\n1\n",
      "AdjacencyGraph\n3\n1\n0\n1\n1\n2\n",
  };
  return texts;
}

}  // namespace orujo::internal::formats
